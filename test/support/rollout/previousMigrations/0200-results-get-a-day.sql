-- Results that wait to be fetched or stored get a day from now, as those do that are made from this release on.
update generations set deadline_at = greatest(deadline_at, now() + interval '24 hours')
  where finished_at is null and state = 'finalizing';
