-- What the vendor said that an attempt has cost its operator: in US dollars where it is known, and what it counted. It decides nothing
-- here; prices are ours.
alter table generation_attempts
  add column cost_usd numeric check (cost_usd >= 0),
  add column cost_quantity double precision,
  add column cost_unit text;
