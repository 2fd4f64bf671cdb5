-- What only a call over a real line has.

-- Whether its recording was stored. Null: nobody recorded (the simulator); it is rendered from the words when asked for.
alter table calls add column recorded boolean;
-- How another node can end the leg, should the one that carries it die. Gone with the call's end.
alter table calls add column leg_trace jsonb;

-- How long the other side waited for each of the agent's turns, from their last sound to its first, and for what.
create table call_turns (
  call_id text not null,
  position int not null,
  seconds numeric(10, 1) not null,
  endpointing_ms int not null,
  stt_ms int not null,
  brain_ms int not null,
  tts_ms int not null,
  total_ms int not null,
  primary key (call_id, position)
);
