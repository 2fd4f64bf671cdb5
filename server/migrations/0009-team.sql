-- An invitation is a link shown once. Only the token's hash is kept, as with sessions.
create table invitations (
  invitation_id text primary key,
  organisation_id text not null references organisations,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'staff', 'viewer')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index invitations_by_organisation on invitations (organisation_id, created_at);

-- People see where they are signed in, and can end it; that takes a name for a session which does not open it.
alter table sessions add column session_id text;
update sessions set session_id = 'ses_' || replace(gen_random_uuid()::text, '-', '');
alter table sessions alter column session_id set not null;
alter table sessions add constraint sessions_session_id_key unique (session_id);
alter table sessions add column browser text;
alter table sessions add column last_used_at timestamptz(3) not null default now();
create index sessions_by_user on sessions (user_id);

-- Calls keep naming their agent, so an agent is put away, never deleted.
alter table agents add column archived_at timestamptz(3);

-- The callbacks people were promised, for whoever looks at the day. Few calls are callbacks, so few writes pay for it.
create index calls_callbacks on calls (organisation_id, scheduled_at)
  where source = 'callback' and status in ('scheduled', 'queued');
