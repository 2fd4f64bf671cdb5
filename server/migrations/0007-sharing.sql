-- The one link of a call (docs/decisions/0020). The token is not here: it is derived from call, salt and PARLEY_SECRET_KEY,
-- so that every event can carry it again and a copy of the database opens nothing.
create table call_shares (
  call_id text primary key,
  organisation_id text not null,
  salt text not null,
  issued_at timestamptz(3) not null,
  -- Fixed when the link is issued: a later change of the setting does not move it.
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index call_shares_by_organisation on call_shares (organisation_id);
