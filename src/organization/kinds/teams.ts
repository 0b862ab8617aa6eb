import { createTeam, deleteTeam, listTeams, updateTeam } from '../../api/resources/teams.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, listed, liveItem } from './declare.js';

const fields = fieldsFrom(updateTeam, { title: { required: true } });
const name = 'teams';

export const teams: Kind = {
  name,
  one: 'team',
  spot: { file: 'teams.yaml', list: 'teams' },
  parents: ['root'],
  key: 'own',
  parameter: 'teamId',
  fields,
  leftOut: { members: 'people.yaml lists the teams of each person' },
  reads: [listTeams],
  list: (reading) => listed(reading, listTeams, (team) => liveItem({ name, fields }, team)),
  create: { op: createTeam },
  update: updateTeam,
  remove: deleteTeam,
};
