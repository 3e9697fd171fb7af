-- Returns whether the vendor's answer to a submit may still be recorded: the submitting process is alive, or it was declared dead and
-- its grace period (`answers_until`) has not ended. The parameters are columns of generation_attempts.
create or replace function submit_is_open(intent_at timestamptz, handle jsonb, asked_by text, answer_until timestamptz)
returns boolean language sql stable as $$
  select coalesce(
    intent_at is not null and handle is null and answer_until > present()
      and (exists (select from processes p where p.id = asked_by)
        or not exists (select from buried_processes b where b.id = asked_by and b.answers_until <= present())),
    false)
$$;
