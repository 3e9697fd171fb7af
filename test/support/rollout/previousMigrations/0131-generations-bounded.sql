-- No foreign key leads from an attempt to its generation any more: one to a partitioned table is checked row by row whenever a partition
-- goes. An attempt is written by the very statement that has just changed its generation, and goes with it.
set local lock_timeout = '400ms';
alter table generation_attempts drop constraint if exists generation_attempts_generation_id_fkey;

-- The first partition reaches to the first month that begins in a month or later, beyond whatever stands there already: the clock of a
-- process may have been ahead.
do $$
declare
  starts timestamp := date_trunc('month', (now() at time zone 'UTC') + interval '2 months');
  newest text := (select max(id) from generations);
  bound text;
begin
  while first_id('gen', starts at time zone 'UTC') <= newest and starts < '2200-01-01' loop
    starts := starts + interval '1 month';
  end loop;
  bound := first_id('gen', starts at time zone 'UTC');
  if bound <= newest then
    bound := newest || '0';
  end if;
  execute format('alter table generations add constraint in_first_partition check (id < %L) not valid', bound);
  execute format('alter table generation_attempts add constraint in_first_partition check (generation_id < %L) not valid', bound);
end $$;
