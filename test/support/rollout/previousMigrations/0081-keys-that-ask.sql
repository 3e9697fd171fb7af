-- Above which price agents have a person asked before they spend; null for never.
alter table api_keys add column confirm_above bigint check (confirm_above >= 0);
