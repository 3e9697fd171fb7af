-- Whoever follows a generation hears of each of its moves. Its end has a notice of its own (functions/end_generation.sql), so that those
-- who wait for the end alone are not woken. A trigger needs its function; what it does stands in functions/tell_progress.sql.
create function tell_progress() returns trigger language plpgsql as 'begin return null; end';
create trigger tell_progress after update of state, progress, queue_position, fallback_model_id on generations for each row
  when (new.finished_at is null and (old.state, old.progress, old.queue_position, old.fallback_model_id)
    is distinct from (new.state, new.progress, new.queue_position, new.fallback_model_id))
  execute function tell_progress();
