-- Connections to carriers over SIP, as data. The password is sealed by the vault.
create table trunks (
  trunk_id text primary key,
  organisation_id text not null references organisations,
  name text not null,
  host text not null,
  port int check (port between 1 and 65535),
  transport text not null check (transport in ('udp', 'tcp', 'tls')),
  username text,
  password bytea,
  caller_id text,
  register boolean not null,
  srtp text not null check (srtp in ('off', 'offer', 'require')),
  inbound_addresses text[] not null,
  max_concurrent int not null check (max_concurrent > 0),
  calls_per_second int not null check (calls_per_second > 0),
  -- When the latest calls were dialled; kept for a second, as a carrier counts them.
  recent_dials timestamptz[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint trunks_name unique (organisation_id, name)
);

alter table phone_numbers add column trunk_id text references trunks;
create index phone_numbers_by_trunk on phone_numbers (trunk_id) where trunk_id is not null;

-- What an agent does about a machine that answers.
alter table agents add column voicemail_action text not null default 'hang_up'
  check (voicemail_action in ('hang_up', 'leave_message'));
alter table agents add column voicemail_message text;
