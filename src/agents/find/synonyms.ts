/** Words of a text as the search compares them: without endings, and without those that say nothing. */

/** Words that nearly every question holds. `who` and `can` are read before these go: see synonyms.ts. */
const idle = new Set(
  (
    'a an the of in on at to for from by with and or is are was were be been it its this that these those ' +
    'i me my mine we us our you your he she they their them him her his what which how where when why who ' +
    'do does did can could should would will may must want need please take have has had some any every so if ' +
    'then than as into onto about there here up not no yes docs command commands'
  ).split(' '),
);

/** The words of a text, in small letters, in order. `someone's` is `someone`; `change-request` is two. */
export function wordsIn(text: string): string[] {
  return (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replaceAll(/[’']s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Articles and pronouns, which come between the words of a phrase: `log me out`, `take it away`. */
const between = new Set('a an the me my it its this that him her them us our your their please'.split(' '));

/** The words of a question, without those that may stand within a phrase. */
export function wordsAsked(question: string): string[] {
  return wordsIn(question).filter((word) => !between.has(word));
}

/** Whether a word says nothing of what is sought. */
export function isIdle(word: string): boolean {
  return idle.has(word);
}

/**
 * A word without its ending, so that `deleted`, `deleting` and `deletes` are one. The result is for comparison
 * and need not be a word. Words of three letters or fewer stay as they are.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  return withoutEnd(withoutVerbEnd(withoutPlural(word.replace('isation', 'ization'))));
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=s|x|z|ch|sh)es$|(?<=[^s])s$/, '');
}

/** Without `-ing`, `-ed` and `-er`, where at least three letters with a vowel are left. */
function withoutVerbEnd(word: string): string {
  const [, begin = ''] = /^(.*)(?:ing|ed)$/.exec(word) ?? [];
  return begin.length >= 3 && /[aeiouy]/.test(begin) ? begin : word;
}

/** One end for `merge` and `merging`, `copy` and `copied`, `stop` and `stopped`. */
function withoutEnd(word: string): string {
  return word
    .replace(/(?<=...)e$/, '')
    .replace(/y$/, 'i')
    .replace(/([^aeiou])\1$/, '$1');
}

/**
 * What people say for what the commands say: `kick out` for `remove`. The first word of a line is the most
 * likely one. Phrases come before their words: the longest that fits is taken.
 */
const said: Readonly<Record<string, string>> = {
  // What no command does, nor any that is like it: nothing of it is sought.
  'site up': '',
  'site down': '',
  uptime: '',
  cache: '',
  invoice: '',
  billing: '',
  subscription: '',
  avatar: '',
  traffic: '',
  'how many visitors': '',
  'restart server': 'sandbox start stop',
  // Who may do what.
  'see site': 'access who explain site',
  'happens if': 'impact break',
  'depends on': 'impact break backlinks',
  'change if': 'access gains loses change',
  'who can': 'members role list review access',
  'who is': 'list members',
  'who has': 'list members access',
  'who am i': 'status signed',
  'who are': 'list members',
  whoami: 'status signed',
  permission: 'role access',
  rights: 'role access',
  privilege: 'role access',
  admin: 'role update member',
  administrator: 'role member admin',
  editor: 'role member',
  reviewer: 'role member',
  promote: 'role update change member',
  demote: 'role update change member',
  become: 'update change',
  // People.
  somebody: 'member user',
  someone: 'member user',
  person: 'member user people',
  people: 'member user',
  colleague: 'member user',
  coworker: 'member user',
  employee: 'member user',
  user: 'member',
  account: 'profile',
  'another account': 'switch profile',
  everyone: 'members',
  everybody: 'members',
  kick: 'delete remove',
  throw: 'delete remove',
  'off board': 'offboard',
  offboarding: 'offboard',
  leaver: 'offboard member',
  'left the company': 'offboard',
  leaves: 'offboard',
  quit: 'offboard',
  fire: 'offboard',
  fired: 'offboard',
  group: 'team section',
  company: 'organization',
  org: 'organization',
  organization: 'orgs',
  tenant: 'organization',
  invitation: 'invite',
  'single sign on': 'sso saml',
  idp: 'saml provider identity',
  okta: 'saml sso provider',
  'audit access': 'review access',
  recertify: 'review access',
  inactive: 'last seen review',
  // Changing and taking back.
  make: 'create update',
  add: 'create set',
  new: 'create',
  give: 'set update',
  grant: 'set update role',
  rename: 'update title rename',
  edit: 'update',
  modify: 'update',
  change: 'update',
  remove: 'delete',
  erase: 'delete',
  destroy: 'delete',
  'get rid of': 'delete remove',
  'take away': 'remove update',
  away: 'update remove',
  revoke: 'remove delete update',
  'bring back': 'restore undo trash',
  'get back': 'restore undo trash',
  recover: 'restore',
  undelete: 'restore',
  revert: 'undo',
  rollback: 'undo',
  'roll back': 'undo',
  'take back': 'undo',
  mistake: 'undo',
  deleted: 'trash restore',
  lost: 'trash restore',
  yesterday: 'trash jobs last',
  'last week': 'jobs last days',
  'did i': 'jobs changes made',
  history: 'jobs',
  clone: 'duplicate',
  copy: 'duplicate',
  fork: 'duplicate',
  reorder: 'move position',
  order: 'move position',
  nest: 'move parent',
  hand: 'transfer',
  continue: 'resume',
  retry: 'resume',
  stuck: 'resume settle',
  rehearse: 'rehearse dry',
  practise: 'sandbox',
  practice: 'sandbox',
  preview: 'plan show',
  many: 'bulk',
  batch: 'bulk',
  spreadsheet: 'bulk row csv file',
  csv: 'bulk file',
  excel: 'bulk csv file',
  // Reading.
  show: 'get list',
  see: 'list get',
  view: 'get list',
  info: 'get',
  details: 'get',
  all: 'list',
  find: 'search list',
  'look for': 'search',
  grep: 'search',
  count: 'list',
  // Content.
  'table of contents': 'pages list content',
  article: 'page content',
  document: 'page content space',
  text: 'content page',
  documentation: 'site space',
  website: 'site',
  put: 'add move set create',
  off: 'remove',
  folder: 'collection',
  workspace: 'space',
  upload: 'import',
  ingest: 'import',
  draft: 'change request',
  pr: 'change request',
  'pull request': 'change request',
  branch: 'change request',
  'up to date': 'pull latest',
  approve: 'merge review',
  accept: 'merge',
  answer: 'reply replies',
  respond: 'reply',
  remark: 'comment',
  note: 'comment',
  unresolved: 'resolve list open',
  discussion: 'comment',
  thread: 'comment',
  feedback: 'comment',
  dead: 'broken',
  '404': 'broken link',
  rotten: 'broken',
  url: 'link address',
  image: 'file',
  picture: 'file',
  attachment: 'file',
  markdown: 'page content',
  metadata: 'custom field',
  language: 'translation',
  translate: 'translation',
  locale: 'translation',
  // Publishing.
  domain: 'site address',
  navigation: 'section structure',
  menu: 'section group',
  tab: 'section',
  online: 'site published',
  live: 'published site',
  swagger: 'openapi spec',
  visitors: 'adaptive schema published',
  public: 'visibility published site',
  private: 'visibility',
  // The program itself.
  login: 'auth login sign',
  'log in': 'login auth sign',
  'sign in': 'sign login auth',
  'sign out': 'sign logout auth',
  'log out': 'logout auth',
  password: 'token auth',
  credentials: 'token auth login',
  apikey: 'token auth',
  'api key': 'token auth',
  default: 'use config',
  preferences: 'config',
  settings: 'config settings',
  autocomplete: 'completion',
  'tab completion': 'completion',
  broken: 'doctor broken',
  debug: 'doctor',
  troubleshoot: 'doctor',
  diagnose: 'doctor',
  'does not work': 'doctor',
  working: 'doctor',
  browser: 'open',
  'backup old': 'backup status',
  'old backup': 'backup status',
  'last backup': 'backup status',
  'backup work': 'backup status verify',
  snapshot: 'backup export',
  archive: 'backup',
  save: 'backup',
  yaml: 'pull files',
  git: 'pull apply plan files',
  terraform: 'plan apply pull',
  'as code': 'pull plan apply',
  'by hand': 'hand drift',
  outside: 'drift',
  difference: 'diff drift',
  compare: 'diff',
  json: 'schema',
  curl: 'api request',
  http: 'api request',
  raw: 'api request',
  fake: 'sandbox',
  try: 'sandbox start exec',
  'try a change': 'rehearse',
  safely: 'rehearse',
  'what would': 'rehearse',
  production: 'sandbox start',
  mock: 'sandbox',
  simulate: 'sandbox fault',
  test: 'sandbox',
};

/** Verbs of access: who can do these is a question about members, and not about what is done. */
const ofAccess = 'publish edit read see view merge change delete write comment review administer manage';
const questions = ['who can', 'who may', 'who is allowed to'].flatMap((asked) =>
  ofAccess.split(' ').map((verb) => [`${asked} ${verb}`, 'members role review list access'] as const),
);

/** The table by the words of its phrases, without their endings; made once. */
const table = new Map(
  [...Object.entries(said), ...questions].map(([phrase, meant]) => [
    wordsIn(phrase).map(stem).join(' '),
    [...new Set(wordsIn(meant).map(stem))],
  ]),
);

const longestPhrase = Math.max(...[...table.keys()].map((phrase) => phrase.split(' ').length));

/** A phrase of a question and what it may mean, the likeliest first. */
interface Meant {
  /** How many words it has. */
  length: number;
  meanings: readonly string[];
}

/** What the longest phrase at a place of a question means. @param stems words without endings, from there on */
export function meantAt(stems: readonly string[]): Meant | undefined {
  for (let length = Math.min(longestPhrase, stems.length); length > 0; length -= 1) {
    const meanings = table.get(stems.slice(0, length).join(' '));
    if (meanings !== undefined) return { length, meanings };
  }
  return undefined;
}
