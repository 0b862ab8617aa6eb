import { outputFormats, type SettingKey } from './keys.js';

/** The build writes in what these come to (scripts/build.mjs): every start needs them. */

/** Every setting, in the order of `docs config list`. */
export const settingKeys: readonly SettingKey[] = [
  {
    name: 'base-url',
    property: 'baseUrl',
    description: 'Address of the platform',
    ofProfile: true,
    flag: '--base-url',
    environment: 'DOCS_BASE_URL',
    builtIn: 'none; docs auth login sets it',
  },
  contextKey('org', 'Default organization'),
  contextKey('space', 'Default space'),
  contextKey('site', 'Default site'),
  {
    name: 'output',
    property: 'output',
    description: 'Output format',
    flag: '--output',
    environment: 'DOCS_OUTPUT',
    inProjectFile: true,
    values: outputFormats,
    builtIn: 'table on a terminal, tsv elsewhere',
  },
  {
    name: 'fields',
    property: 'fields',
    description: 'Columns or keys to show, in order, such as a,b.c',
    flag: '--fields',
    inProjectFile: true,
    builtIn: "each command's default",
  },
  {
    name: 'page-size',
    property: 'pageSize',
    description: 'Items per request, 1 to 1000',
    flag: '--page-size',
    environment: 'DOCS_PAGE_SIZE',
    inProjectFile: true,
    builtIn: "the platform's default",
  },
  {
    name: 'timeout',
    property: 'timeout',
    description: 'Deadline, such as 30s or 5m; 0 for none',
    flag: '--timeout',
    environment: 'DOCS_TIMEOUT',
    builtIn: '60s; for lists and bulk jobs per request',
  },
  {
    name: 'journal',
    property: 'journal',
    description: 'Keep a journal of changes, for evidence, resume and undo: on or off',
    environment: 'DOCS_JOURNAL',
    values: ['on', 'off'],
    builtIn: 'true',
  },
  {
    name: 'pager',
    property: 'pager',
    description: 'Program for output longer than the screen, with its flags; off for none',
    environment: 'DOCS_PAGER',
    builtIn: 'PAGER, else less',
  },
  {
    name: 'policy',
    property: 'policy',
    description: 'Policy file; the policies of the flag, the variable, the profile and the machine all apply',
    ofProfile: true,
    flag: '--policy',
    environment: 'DOCS_POLICY',
    builtIn: 'the policy of the machine, if there is one',
  },
];

function contextKey(name: 'org' | 'space' | 'site', description: string): SettingKey {
  return {
    name,
    property: name,
    description,
    ofProfile: true,
    flag: `--${name}`,
    environment: `DOCS_${name.toUpperCase()}`,
    inProjectFile: true,
    builtIn: 'none',
  };
}
