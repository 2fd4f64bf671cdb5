-- Whom an agent puts people through to who ask for a human, in E.164. Null: nobody, and the call just ends.
alter table agents add column transfer_to text;
