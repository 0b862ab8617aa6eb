import type { AnyOperation } from '../../src/api/operation.js';
import type { Command } from '../../src/cli/declare/command.js';
import { requestCase } from '../cli/run/request-cases.js';

/** A line for every command, that gets as far as its first request where nothing holds it back. */

/** Of commands written by hand; files that they name are those of `GateWorld.write`. */
const byHand: Readonly<Record<string, string>> = {
  'auth login': '--with-token',
  'auth logout': '',
  'auth status': '',
  'auth can-i': '--role read',
  'auth list': '',
  'auth switch': 'work',
  status: '',
  overview: '--org o1',
  'config list': '',
  'config get': 'org',
  'config set': 'org o1',
  'config unset': 'org',
  'config path': '',
  'config alias list': '',
  'config alias set': 'admins teams',
  'config alias delete': 'admins',
  'orgs use': 'o1',
  'orgs map': '--org o1',
  'members offboard': 'u1 --org o1 --yes --evidence evidence',
  'members review': '--apply review.csv --org o1 --yes',
  'access explain': 'u1 space:s1 --org o1',
  'access who': 's1 --org o1',
  'access matrix': '--org o1',
  'impact access': '--role u1=read --level s1=none --org o1',
  'access diff': 'a.json b.json',
  'sso readiness': '--org o1',
  'sso link': 'u1 --org o1 --yes',
  'spaces list': '--org o1',
  'spaces use': 's1',
  'sites tree': 'w1 --org o1',
  'sites arrange': 'w1 @tree.txt --org o1',
  'change-requests inbox': '--org o1',
  'links check': '--org o1',
  'change-requests diff': '5 --space s1',
  'change-requests review': '5 --space s1',
  'links graph': '--org o1',
  'links fix': '--org o1 --as-change-request --import-base https://files.example.com --yes',
  'sites use': 'w1 --org o1',
  'sites release cut': '2.1 --site w1 --from API --org o1 --yes',
  'sites schema diff': 'w1 schema.json --org o1',
  'sites schema eval': 'w1 --claims {} --org o1',
  'openapi publish': 'petstore spec.yaml --org o1',
  'openapi wait': 'petstore --org o1',
  api: 'DELETE /v1/spaces/s1 --yes',
  open: 'space s1 --print',
  'impact delete': 'space s1 --org o1',
  'impact move': 'space s1 --org o1 --unset parent',
  'impact transfer': 'space s1 --org o1 --to-org o2',
  'impact rename': 'site w1 --org o1 --basename handbook',
  doctor: '',
  bulk: 'teams update --from teams.csv --yes',
  plan: '--org o1',
  'plan show': 'plan.json',
  apply: '--org o1 --yes',
  pull: '--org o1',
  'plan drift': '--org o1',
  'plan adopt': 'teams/t1=t1 --org o1',
  'plan approve': 'plan.json',
  // With a command of docs it only reads.
  rehearse: '--from none --script run.sh',
  'jobs list': '',
  'jobs show': 'last',
  'jobs resume': 'last',
  'jobs settle': 'last 0 --not-done',
  'jobs discard': 'last --yes',
  'jobs prune': '--days 0',
  undo: 'last --yes',
  'backup run': '--out backup --org o1',
  'backup merge': 'parts --out whole',
  'backup verify': 'backup --offline',
  'backup diff': 'backup backup',
  'backup status': 'backup',
  'backup pack': 'backup --out packs',
  'backup search': 'backup quickstart',
  'backup log': 'backup',
  'backup show': 'backup latest',
  'backup restore': 'backup --yes',
  'change-requests stale': '--org o1 --yes',
  'spaces trash list': '',
  'spaces trash restore': 's1 --yes',
  'audit list': '',
  'audit export': '',
  'audit verify': '',
  commands: '',
  find: 'make someone an admin',
  'commands schema': 'teams update',
  completion: 'bash --install --yes --file bashrc',
  'mcp skill print': '',
  'mcp skill install': '--yes',
  // Its input ends at once; a policy decides of each call, not of the server.
  'mcp serve': '',
  'policy test': '-- orgs list',
  'policy explain': '',
  'policy init': '--read-only new.yaml',
  'sandbox start': '',
  'sandbox stop': '',
  'sandbox status': '',
  'sandbox open': '',
  'sandbox seed': 'tiny',
  'sandbox reset': '',
  'sandbox export': '',
  'sandbox clock': '+1d',
  'sandbox publish': 'docs',
  'sandbox fault': '--clear',
  'sandbox requests': '',
  'sandbox exec': '-- true',
};

/** What they read. */
export const files: Readonly<Record<string, string>> = {
  'teams.csv': 'team,title\nt1,Writers\n',
  'run.sh': 'true\n',
  'review.csv': 'id,decision\nu1,role=read\n',
  'spec.yaml': 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n',
};

/** The words of a line; undefined where a command was added without one. */
export function lineOf(path: string, command: Command): string[] | undefined {
  const [op] = command.operations;
  if (command.spec !== undefined && op !== undefined) return ofOperation(path, command, op);
  const rest = byHand[path];
  if (rest === undefined) return undefined;
  return [...path.split(' '), ...rest.split(' ').filter((word) => word !== '')];
}

/** Its least input, with ids that need no encoding: what has an encoded slash cannot be told for sure. */
export function ofOperation(path: string, command: Command, op: AnyOperation): string[] {
  return requestCase(path, command, op, 'least').words.map((word) => word.replace(/ \/1$/, '-1'));
}

/** The same request by `docs api`; the body comes from standard input. */
export function rawOf(path: string, command: Command, op: AnyOperation): { words: string[]; stdin?: string } {
  const { expected } = requestCase(path, command, op, 'least');
  const query = new URLSearchParams(expected.query).toString();
  const plain = expected.path.replaceAll('%20%2F1', '-1');
  const words = ['api', op.method, query === '' ? plain : `${plain}?${query}`, '--yes'];
  if (op.method === 'GET' || expected.body === undefined) return { words };
  return { words: [...words, '--input', '-'], stdin: JSON.stringify(expected.body) };
}
