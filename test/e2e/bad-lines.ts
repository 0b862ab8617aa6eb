/** Command lines that are wrong, and what is said of each. */
export const badLines: readonly [string[], string][] = [
  [
    ['members', 'update', 'u1', '--role', 'boss'],
    '--role must be one of admin, create, review, edit, comment, read, not "boss"',
  ],
  [['members', 'update', 'u1'], '--role is required'],
  [['members', 'list', '--limit', 'abc'], '--limit must be a number, not "abc"'],
  [['members', 'list', '--limit', '0'], '--limit must be a whole number of at least 1, not "0"'],
  [['members', 'list', '--page-size', '1001'], '--page-size must be a number from 1 to 1000, not 1001'],
  [['members', 'list', '--page', ''], '--page must be at least 1 character long, not 0'],
  [['teams', 'create', '--title', ''], '--title must be 1 to 64 characters long, not 0'],
  [['teams', 'create', '--title', 'x'.repeat(65)], '--title must be 1 to 64 characters long, not 65'],
  [['orgs', 'update', '--logo', 'logo.png'], '--logo must be an absolute URL, not "logo.png"'],
  [['orgs', 'update'], 'nothing to change: give at least one of --title,'],
  [
    ['orgs', 'update', '--logo', 'https://x.example/l.png', '--unset', 'logo'],
    '--logo and --unset logo contradict each other',
  ],
  [['orgs', 'update', '--unset', 'title'], '--unset must be one of'],
  [['members', 'get', '..'], '<user> must be an id, not ".."'],
  [['members', 'get', ''], '<user> must be an id, not ""'],
  [['teams', 'update', 't1', '--input', 'broken.json'], '--input: broken.json is not JSON:'],
  [['teams', 'update', 't1', '--input', 'unknown.json'], '--input: tilte is not known; known: title.'],
  [['teams', 'update', 't1', '--input', 'list.json'], '--input: the body must be a JSON object'],
  [['members', 'list', '--fields', 'nope'], 'nope'],
  [['members', 'list', '--fields', 'email'], 'unknown field "email" in --fields. Did you mean user.email?'],
  [['members', 'list', '--role', 'admn'], '--role must be one of admin,'],
  [['spaces', 'move', 's1'], 'nothing to change: give at least one of --parent, --before, --after'],
  [['collections', 'move', 'c1'], 'nothing to change: give at least one of --parent, --before, --after'],
  [['sections', 'move', 'x1', '--site', 't1'], '--before or --after is required'],
  [['members', 'list', '--jq', '.['], '--jq'],
  [['members', 'list', '-o', 'xml'], 'xml'],
  [
    ['members', 'list', '--rol', 'admin'],
    'unknown flag "--rol" for "docs members list". Did you mean --role?',
  ],
  [['members', 'lst'], 'unknown command "lst" for "docs members". Did you mean docs members list?'],
  [
    ['member', 'list', 'extra'],
    'unexpected argument "extra" for "docs members list", which takes no arguments',
  ],
  [['members', 'delete', 'u1'], 'Add --yes'],
  [['spaces', 'delete', 's1'], 'Add --yes'],
  [['members', 'delete', '-'], 'no ids given for <user>; add --allow-empty to allow that'],
  [['teams', 'members', 'update', 't1', '--membership', 'u1'], '--membership must be user=role, not "u1"'],
  [['spaces', 'fields', 'set', 's1', 'owner'], '<name=value> must be name=value, not "owner"'],
  [
    ['spaces', 'fields', 'set', 's1', 'seats:=null'],
    '<name=value> cannot be null: seats= clears a text and seats:=[] a list; the platform cannot clear other values',
  ],
  [['spaces', 'move', 's1', '--before', 'page:x'], '--before'],
  [['--sandbox', 'orgs', 'search', 'x'.repeat(513)], '<query> must be at most 512 characters long, not 513'],
];

/** Files that some of them read, by name. */
export const badFiles: Readonly<Record<string, string>> = {
  'broken.json': '{"title": ',
  'unknown.json': '{"tilte": "x"}',
  'list.json': '[1]',
};
