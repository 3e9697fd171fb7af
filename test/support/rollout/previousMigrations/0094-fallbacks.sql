-- The variant that took the work over because the one asked for had no room. What was asked for stays in `model_id`.
alter table generations add column fallback_model_id text;
