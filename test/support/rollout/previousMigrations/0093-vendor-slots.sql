-- How much may be at a vendor at once, and how often it may be asked, where that is limited. A slot belongs to a generation and not to a
-- process: it is held from before the vendor is asked until the vendor has made the work or nobody wants it any more. Slots of the last
-- minute stay for the count of that minute.
create table vendor_slots (
  id bigint generated always as identity primary key,
  generation_id text not null,
  provider text not null,
  family_id text not null,
  taken_at timestamptz not null,
  asked boolean not null default false,
  released_at timestamptz
);
create unique index vendor_slots_held on vendor_slots (generation_id) where released_at is null;
create index vendor_slots_of_provider_held on vendor_slots (provider) where released_at is null;
create index vendor_slots_of_family_held on vendor_slots (family_id) where released_at is null;
create index vendor_slots_of_provider on vendor_slots (provider, taken_at);
create index vendor_slots_of_family on vendor_slots (family_id, taken_at);

comment on column vendor_slots.asked is 'the vendor was asked once: asking again takes another slot, or the minute would not count it';

-- Work that waits for a slot and has no job: it is in line by its identifier, which grows with time.
create table waiting_submits (
  generation_id text primary key,
  provider text not null,
  family_id text not null,
  since timestamptz not null
);
create index waiting_submits_in_line on waiting_submits (provider, family_id, generation_id);
create index waiting_submits_since on waiting_submits (since);

-- What was left until the deadline when work began to wait for a slot: the deadline stands still meanwhile.
alter table generation_attempts add column time_left interval;

-- Another function does this now.
drop function if exists begin_submit(text, integer, text[], integer);
