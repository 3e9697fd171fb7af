-- So that the age of the routine counts from here. Its first run also adds what processes of the previous release charged between 0320 and
-- the functions of this release.
insert into routines (name, added_at) values ('recountMonths', now()) on conflict (name) do nothing;
