// Checks the imports of src/ (or the folder given): which room may import which, that nothing goes in a circle, that
// a report imports few modules of others, and that a feature has few files. Types and lazy imports count. Run by
// `npm run lint`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** What a room may import, beside itself and the base. */
const rooms = {
  files: [],
  api: [],
  // What a resource is: pure data and functions, for every room above.
  model: ['api'],
  settings: ['api', 'files'],
  output: ['api', 'files'],
  // What is said, and each medium of it. Of output only the texts that are base: see `closed`.
  document: ['output'],
  jobs: ['api', 'files', 'model', 'settings'],
  // Keys and signatures, for backups and approvals.
  signing: ['files'],
  sandbox: ['api'],
  // Text and data, never a terminal: see `closed`.
  // What an organization is, from reads alone.
  snapshot: ['api', 'shards'],
  // Parts of the work of a command, for processes that share nothing.
  shards: ['api', 'files', 'output'],
  // What a change request changes, page by page and word by word, and which are stale. No terminal: see `closed`.
  'change-requests': [
    'api',
    'backup',
    'document',
    'jobs',
    'output',
    'plans',
    'settings',
    'shards',
    'snapshot',
  ],
  // The folder of a backup: how it is written, read, compared and verified. Text and data, never a terminal: see `closed`.
  backup: ['access', 'api', 'files', 'jobs', 'model', 'output', 'settings', 'shards', 'signing', 'snapshot'],
  plans: ['api', 'document', 'files', 'jobs', 'model', 'output', 'settings'],
  organization: ['access', 'api', 'files', 'jobs', 'model', 'output', 'plans', 'settings', 'snapshot'],
  policy: ['api', 'files', 'jobs', 'model', 'plans', 'settings', 'signing'],
  access: ['api', 'document', 'files', 'jobs', 'model', 'output', 'snapshot', 'settings', 'shards'],
  agents: [
    'api',
    'cli/declare',
    'cli/help',
    'files',
    'jobs',
    'model',
    'output',
    'plans',
    'reference',
    'settings',
  ],
  // A copy of an organization is a sandbox, filled from a backup or from the platform.
  copy: ['access', 'api', 'backup', 'files', 'jobs', 'model', 'output', 'sandbox', 'settings', 'snapshot'],
  rehearsal: ['api', 'copy', 'files', 'jobs', 'output', 'plans', 'settings', 'snapshot'],
  restore: [
    'access',
    'api',
    'backup',
    'files',
    'jobs',
    'model',
    'organization',
    'output',
    'plans',
    'snapshot',
    'settings',
  ],
  // The tree of one site as text, for people to edit.
  'site-tree': ['access', 'api', 'jobs', 'organization', 'output', 'plans', 'snapshot'],
  reports: ['document', 'files', 'output'],
  // The sandbox in a browser: pages of what its handlers answer, and the commands that send its requests.
  browser: ['api', 'change-requests', 'cli/declare', 'document', 'output', 'reports', 'sandbox', 'site-tree'],
  // A session has a gate.
  'cli/declare': ['api', 'cli/resolve', 'model', 'output', 'policy', 'settings'],
  // The topic on the organization as code lists its kinds, and a description of a command says what undo can do.
  'cli/help': [
    'api',
    'cli/declare',
    'cli/resolve',
    'jobs',
    'model',
    'organization',
    'output',
    'policy',
    'settings',
  ],
  'cli/parse': ['cli/declare', 'cli/help', 'model', 'output', 'settings'],
  'cli/resolve': ['api', 'cli/declare', 'cli/parse', 'model', 'output'],
  'cli/run': [
    'access',
    'api',
    'cli/declare',
    'cli/help',
    'cli/parse',
    'cli/resolve',
    'document',
    'files',
    'jobs',
    'model',
    'output',
    'plans',
    'policy',
    'reports',
    'snapshot',
    'sandbox',
    'settings',
    'shards',
  ],
  completion: [
    'api',
    'cli/declare',
    'cli/help',
    'cli/parse',
    'cli/resolve',
    'cli/run',
    'files',
    'jobs',
    'model',
    'output',
    'settings',
  ],
  reference: ['cli/declare', 'cli/help', 'document', 'model', 'policy', 'settings'],
  launch: ['settings'],
};
/** Within commands, a folder or file is a feature. None imports another: what several need is in a room, or here. */
const sharedByCommands = 'commands/shared/';
/** Files in the folder of a feature, and in the folder of what several need. */
const filesOfFeature = 6;
const filesOfShared = 7;
/** Commands are the top: they may import every room but these. */
const aboveCommands = ['launch', 'reference'];
/** Only the start of the program, and the maker of outlines, may import particular commands. */
const startFiles = [
  'main.ts',
  'process.ts',
  'binary.ts',
  'launch/loader.ts',
  'commands/index.ts',
  'commands/loaders.ts',
  'commands/outlines.ts',
];
/** Parts of a room that others must not import. */
const closed = {
  backup: /^output\/(?:printer|console-printer|progress|messages|sink)\.ts$/,
  document: /^output\/(?!(?:text|colors|text-width)\.ts$)/,
  'change-requests': /^output\/(?:printer|console-printer|progress|messages|sink)\.ts$/,
};

/** Who imports one of these declares or makes a report. */
const reportModules = ['cli/run/report.ts', 'cli/run/run-report.ts'];
/** Modules of others that such a file may import. */
const foreignOfReports = 12;
/** Those that import more, with how many, and why: a number here only falls. */
const foreignOf = {
  // Also proposes changes and carries them out.
  'commands/change-requests/stale.ts': 18,
  // Also guards a change.
  'commands/sites/schema-diff.ts': 13,
  // Write a baseline and reports of other formats, or ask, edit and approve.
  'commands/change-requests/diff.ts': 20,
  'commands/links/check.ts': 18,
  // Each part of what is read has a module of its own.
  'commands/access/lists.ts': 15,
  'commands/backup/diff.ts': 15,
  'commands/backup/verify.ts': 17,
  'commands/jobs/show.ts': 18,
  'commands/shared/print-plan.ts': 19,
};

const root = resolve(process.argv[2] ?? 'src');
const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.ts'));
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...forbidden(), ...circles(), ...reportsWithMany(), ...featuresWithMany()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${files.length} files: no forbidden import, no circle.`);

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'(\.[^']+)'/g);
  return [...found].flatMap(([, path]) => {
    const to = relative(root, resolve(root, dirname(file), path)).replace(/\.js$/, '.ts');
    return existsSync(join(root, to)) ? [to] : [];
  });
}

function roomOf(file) {
  const parts = file.split(sep);
  if (parts.length === 1) return 'top';
  return parts[0] === 'cli' ? `cli/${parts[1]}` : parts[0];
}

/** `commands/links` of `commands/links/check.ts`, `commands/teams` of `commands/teams.ts`. */
function featureOf(file) {
  return file.replace(/\.ts$/, '').split(sep).slice(0, 2).join('/');
}

function forbidden() {
  return [...imports].flatMap(([file, targets]) =>
    targets.filter((to) => !mayImport(file, to)).map((to) => `${file} must not import ${to}`),
  );
}

function mayImport(file, to) {
  const [from, room] = [roomOf(file), roomOf(to)];
  if (startFiles.includes(file)) return true;
  if (from === 'commands' && room === 'commands')
    return to.startsWith(sharedByCommands) || featureOf(file) === featureOf(to);
  if (from === room) return true;
  if (room === 'base') return true;
  if (room === 'top' || from === 'top' || from === 'base') return false;
  if (room === 'commands') return false;
  if (closed[from]?.test(to)) return false;
  return from === 'commands' ? !aboveCommands.includes(room) : (rooms[from] ?? []).includes(room);
}

function reportsWithMany() {
  return [...imports].flatMap(([file, targets]) => {
    if (roomOf(file) !== 'commands' || !reportModules.some((module) => targets.includes(module))) return [];
    const foreign = new Set(targets.filter((to) => featureOf(to) !== featureOf(file))).size;
    const allowed = foreignOf[file] ?? foreignOfReports;
    return foreign > allowed ? [`${file} imports ${foreign} modules of others, a report may ${allowed}`] : [];
  });
}

function featuresWithMany() {
  const folders = files
    .filter((file) => file.split(sep).length > 2 && roomOf(file) === 'commands')
    .map(featureOf);
  return [...new Set(folders)].flatMap((folder) => {
    const count = folders.filter((other) => other === folder).length;
    const allowed = sharedByCommands === `${folder}/` ? filesOfShared : filesOfFeature;
    return count > allowed ? [`${folder} has ${count} files, it may have ${allowed}`] : [];
  });
}

/** Tarjan's algorithm: groups of files of which each reaches every other. */
function circles() {
  const [index, low, stack, found] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file), low.get(to)));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(`import circle: ${group.sort().join(', ')}`);
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}
