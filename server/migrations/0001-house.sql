-- The nouns everything else refers to. Only features of PostgreSQL 15. Ids are made by the program.

create table organisations (
  organisation_id text primary key,
  name text not null,
  plan text not null check (plan in ('base', 'professional', 'enterprise')),
  timezone text not null,
  public_share_enabled boolean not null default false,
  public_share_expiry text check (public_share_expiry in ('hour', 'day', 'week', 'month')),
  inbound_token_hash bytea not null unique,
  inbound_signing boolean not null default false,
  inbound_signing_secret bytea not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table users (
  user_id text primary key,
  organisation_id text not null references organisations,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('owner', 'admin', 'staff', 'viewer')),
  created_at timestamptz(3) not null default now()
);
-- One person may serve several organisations, each with its own password and role.
create unique index users_email on users (lower(email), organisation_id);

create table sessions (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_expiry on sessions (expires_at);

create table api_keys (
  key_id text primary key,
  organisation_id text not null references organisations,
  name text not null,
  key_hash bytea not null unique,
  -- The last characters, so that a person can tell keys apart.
  hint text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index api_keys_by_organisation on api_keys (organisation_id, created_at);

-- What is left, and how much of that is held by calls in the air.
create table credit_balances (
  organisation_id text primary key references organisations,
  balance bigint not null default 0,
  held bigint not null default 0 check (held >= 0)
);

-- Append only: a balance can always be recounted.
create table credit_entries (
  entry_id text primary key,
  organisation_id text not null references organisations,
  kind text not null check (kind in ('grant', 'hold', 'charge', 'release')),
  amount bigint not null,
  call_id text,
  created_at timestamptz(3) not null default now()
);
create index credit_entries_by_organisation on credit_entries (organisation_id, created_at);

create table webhook_endpoints (
  endpoint_id text primary key,
  organisation_id text not null references organisations,
  url text not null,
  description text,
  events text[] not null,
  signing boolean not null default true,
  secret bytea not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index webhook_endpoints_by_organisation on webhook_endpoints (organisation_id, created_at);

create table branches (
  branch_id uuid primary key,
  organisation_id text not null references organisations,
  name text not null,
  timezone text not null,
  session_hours jsonb not null,
  created_at timestamptz(3) not null default now(),
  constraint branches_name unique (organisation_id, name)
);

create table services (
  appointment_type_id uuid primary key,
  organisation_id text not null references organisations,
  name text not null,
  duration_minutes int not null check (duration_minutes > 0),
  created_at timestamptz(3) not null default now(),
  constraint services_name unique (organisation_id, name)
);

-- A service without a row here is offered at every branch.
create table service_branches (
  appointment_type_id uuid not null references services,
  branch_id uuid not null references branches,
  primary key (appointment_type_id, branch_id)
);

create table phone_numbers (
  phone_number_id text primary key,
  organisation_id text not null references organisations,
  number text not null,
  carrier text not null,
  max_concurrent int not null check (max_concurrent > 0),
  created_at timestamptz(3) not null default now(),
  constraint phone_numbers_once_each unique (organisation_id, number)
);
-- A real number belongs to one organisation; simulated ones may repeat (decisions 9).
create unique index phone_numbers_real on phone_numbers (number) where carrier <> 'simulator';

create table agents (
  agent_id text primary key,
  organisation_id text not null references organisations,
  name text not null,
  type text not null check (type in ('outbound', 'inbound')),
  language text not null,
  prompt text not null,
  greeting text not null,
  phone_number_id text references phone_numbers,
  branch_id uuid references branches,
  retry_max_attempts int not null check (retry_max_attempts >= 1),
  retry_delay_ms bigint not null,
  retry_on text[] not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint agents_name unique (organisation_id, name)
);

create table do_not_call (
  organisation_id text not null references organisations,
  number text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, number)
);
