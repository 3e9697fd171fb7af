-- Whether sign-ins carry the groups claim. Older processes neither read nor write it.
create table auth.groups_claims (
  issuer text not null,
  claim text not null,
  signed_in_at timestamptz not null,
  outcome text not null check (outcome in ('read', 'missing', 'malformed')),
  failures integer not null,
  failing_since timestamptz,
  primary key (issuer, claim),
  check ((outcome = 'read') = (failing_since is null)),
  check ((outcome = 'read') = (failures = 0))
);
comment on table auth.groups_claims is 'What the last sign-in at an issuer carried as the claim with the groups of the person.';
comment on column auth.groups_claims.claim is 'OIDC_GROUPS_CLAIM at that time';
comment on column auth.groups_claims.failures is 'consecutive sign-ins without a usable claim; not counted further after the third within a minute';
comment on column auth.groups_claims.failing_since is 'the first of these sign-ins';
