import type { YAMLMap } from 'yaml';
import { roles } from '../../../../src/api/shapes.js';
import type { Act, Editing } from '../edit.js';
import { text } from '../files.js';

/** Edits of people.yaml and teams.yaml. Admins stay: guards have tests of their own. */

const people = ({ files }: Editing) => files.items('people.yaml', 'people');
const teams = ({ files }: Editing) => files.items('teams.yaml', 'teams');
const providers = ({ files }: Editing) => files.items('saml.yaml', 'providers');

const others = (editing: Editing) => people(editing).filter((person) => text(person, 'role') !== 'admin');

/** Members of a team by the files. */
const ownersOf = (editing: Editing, team: string): YAMLMap[] =>
  people(editing).filter((person) => editing.teamsOf(person).get(team) === 'owner');

/** Whether a team would be left without the owner that it has. */
const isLastOwner = (editing: Editing, person: YAMLMap, team: string): boolean => {
  const owners = ownersOf(editing, team);
  return owners.length === 1 && owners[0] === person;
};

export const peopleEdits = {
  changeRole(editing) {
    const person = editing.pick(others(editing));
    person?.set('role', editing.pick([...roles, 'guest'].filter((role) => role !== 'admin')));
  },
  linkSso(editing) {
    // To link the last admin without SSO is refused (test/commands/sso/link.world.test.ts).
    const free = people(editing).filter((each) => each.get('sso') !== true && each.get('role') !== 'admin');
    const person = editing.pick(free);
    if (person === undefined || editing.touched.has(`people/${text(person, 'email')}`)) return;
    // Not taken back: linking and unlinking the same person is no change.
    editing.claim(`sso of ${text(person, 'email')}`);
    person.set('sso', true);
  },
  unlinkSso(editing) {
    const linked = people(editing).filter((each) => each.get('sso') === true);
    const person = editing.pick(
      linked.filter((each) => !editing.touched.has(`sso of ${text(each, 'email')}`)),
    );
    if (person === undefined || !editing.claim(`people/${text(person, 'email')}`)) return;
    person.set('sso', false);
    editing.expected.findings.add(`people/${text(person, 'email')}`);
  },
  invitePerson(editing) {
    const email = `${editing.newKey()}@acme.example`;
    editing.files.add(editing.files.list('people.yaml', 'people'), { email, role: 'edit' });
    editing.claim(`people/${email}`);
    editing.expected.findings.add(`people/${email}`);
  },
  removePerson(editing) {
    const list = editing.files.list('people.yaml', 'people');
    const person = editing.pick(others(editing));
    if (person === undefined || !editing.claim(`people/${text(person, 'email')}`)) return;
    if ([...editing.teamsOf(person).keys()].some((team) => isLastOwner(editing, person, team))) return;
    list.items.splice(list.items.indexOf(person), 1);
    editing.exact('people.yaml');
  },
  joinTeam(editing) {
    const [person, team] = [editing.pick(people(editing)), editing.pick(teams(editing))];
    if (person === undefined || team === undefined) return;
    if (editing.expected.findings.has(`people/${text(person, 'email')}`)) return;
    const joined = editing.teamsOf(person);
    const key = text(team, 'key');
    if (isLastOwner(editing, person, key)) return;
    joined.set(key, editing.number() % 2 === 0 ? 'owner' : 'member');
    editing.setTeams(person, joined);
  },
  leaveTeam(editing) {
    const person = editing.pick(people(editing).filter((each) => editing.teamsOf(each).size > 0));
    if (person === undefined) return;
    const joined = editing.teamsOf(person);
    const team = editing.pick([...joined.keys()]) ?? '';
    if (isLastOwner(editing, person, team)) return;
    joined.delete(team);
    editing.setTeams(person, joined);
    editing.exact('people.yaml', 'memberships');
  },
} satisfies Record<string, Act>;

export const teamEdits = {
  renameTeam(editing) {
    editing.pick(teams(editing))?.set('title', editing.title(1, 64));
  },
  swapTeamTitles(editing) {
    const [one, two] = [editing.pick(teams(editing)), editing.pick(teams(editing))];
    if (one === undefined || two === undefined) return;
    const title = text(one, 'title');
    one.set('title', text(two, 'title'));
    two.set('title', title);
  },
  addTeam(editing) {
    const key = editing.newKey();
    editing.files.add(editing.files.list('teams.yaml', 'teams'), { key, title: editing.title(1, 64) });
    editing.claim(`teams/${key}`);
  },
  renameTeamKey(editing) {
    const team = editing.pick(teams(editing));
    if (team === undefined || !editing.claim(`teams/${text(team, 'key')}`)) return;
    const [was, key] = [text(team, 'key'), editing.newKey()];
    editing.claim(`teams/${key}`);
    team.set('key', key);
    team.set('was', was);
    for (const person of people(editing)) {
      const joined = editing.teamsOf(person);
      if (!joined.has(was)) continue;
      editing.setTeams(person, new Map([...joined].map(([name, role]) => [name === was ? key : name, role])));
    }
    editing.refer(
      was,
      key,
      providers(editing).map((map) => ({ map, key: 'default_team' })),
    );
  },
  removeTeam(editing) {
    const named = new Set(providers(editing).map((each) => text(each, 'default_team')));
    const team = editing.pick(teams(editing).filter((each) => !named.has(text(each, 'key'))));
    if (team === undefined || !editing.claim(`teams/${text(team, 'key')}`)) return;
    const list = editing.files.list('teams.yaml', 'teams');
    list.items.splice(list.items.indexOf(team), 1);
    editing.exact('teams.yaml');
    for (const person of people(editing)) {
      const joined = editing.teamsOf(person);
      if (joined.delete(text(team, 'key'))) editing.setTeams(person, joined);
    }
  },
} satisfies Record<string, Act>;
