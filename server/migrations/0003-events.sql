-- Events are written in the transaction of the fact they report. Media links are not in them: they are made fresh for
-- every delivery attempt.
create table events (
  event_id text primary key,
  organisation_id text not null,
  type text not null,
  call_id text,
  data jsonb not null,
  created_at timestamptz(3) not null default now()
);
create index events_by_organisation on events (organisation_id, created_at desc, event_id desc);
create index events_by_call on events (call_id) where call_id is not null;

-- What was done to whom by whom, without personal data.
create table audit_log (
  audit_id text primary key,
  organisation_id text not null,
  actor text not null,
  action text not null,
  resource_id text not null,
  at timestamptz(3) not null default now()
);
create index audit_log_by_organisation on audit_log (organisation_id, at desc);

-- Files of erased calls, until the store has let go of them.
create table media_removals (
  key text primary key,
  created_at timestamptz(3) not null default now()
);
