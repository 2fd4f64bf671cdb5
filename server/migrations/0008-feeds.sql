-- The appointment a call moved or cancelled. One that it booked names the call itself.
alter table calls add column appointment_id uuid;

-- One secret address per branch, under which calendar programs read its appointments. Only the hash is kept.
create table calendar_feeds (
  branch_id uuid primary key references branches,
  organisation_id text not null references organisations,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now()
);

-- Calendar programs take a change only when this has grown.
alter table appointments add column sequence int not null default 0;
