-- Places at a vendor go round by owner. The empty owner is that of work of which a process of the release before could not say it.
alter table waiting_submits add column owner_id text not null default '';
alter table vendor_slots add column owner_id text not null default '';
update waiting_submits w set owner_id = g.owner_id from generations g where g.id = w.generation_id;
update vendor_slots s set owner_id = g.owner_id from generations g where g.id = s.generation_id;
