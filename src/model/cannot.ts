import { isIdle, stem, wordsIn } from '../base/words.js';

/**
 * What people ask for and the API has no request for: told by unknown commands, by `docs find` and by the guide.
 * Plain data, checked against the operations that there are (test/model/cannot.test.ts).
 */
export interface Limitation {
  /** After "the API cannot". */
  cannot: string;
  /** What to do instead; commands in back quotes. */
  instead: string;
  /** One command that helps. */
  hint: string;
  /**
   * Words that ask for it: one of each group, groups parted by `+`; behind `~`, words that may stand beside them. Any
   * other word asks for something else: "add a space to a site" is not "add a space".
   */
  asked: readonly string[];
}

const person = 'member people person user someone somebody colleague';
const make = 'add create make new';
const give = 'add give grant share allow let assign set';
const take = 'remove delete revoke withdraw';

export const limitations: readonly Limitation[] = [
  {
    cannot: 'add or invite a member',
    instead:
      'send an invite link made in the app, or let people join by SAML or email domain; then set the role with `docs members update`',
    hint: 'docs orgs update --help',
    asked: [`invite ${make} + ${person} ~ org organization company email by`, `invite + ${person} ~ members`],
  },
  {
    cannot: 'create or list invite links',
    instead: 'make them in the app; `docs invites get` shows one whose id you have',
    hint: 'docs invites --help',
    asked: [`list ${make} + invite invitation ~ link all open pending`],
  },
  {
    cannot: 'disable a member, or remove one from SSO',
    instead: 'remove the member with `docs members delete`, or disable the account at your identity provider',
    hint: 'docs members delete --help',
    asked: [
      `disable enable deactivate activate suspend reactivate + ${person} ~ account`,
      `${take} unlink + sso + ${person} ~ from`,
    ],
  },
  {
    cannot: 'create an empty space',
    instead: 'duplicate one with `docs spaces duplicate`, then rename it with `docs spaces update`',
    hint: 'docs spaces duplicate --help',
    asked: [`${make} + space ~ empty blank`],
  },
  {
    cannot: 'create, edit, move or delete a page',
    instead:
      'import the new text with `docs content import --change-request`, then merge it; or edit the page in the app',
    hint: 'docs content import --help',
    asked: [
      `${make} edit write change update rename move reorder ${take} + page article ~ new text content space one wiki`,
    ],
  },
  {
    cannot: 'upload a file',
    instead: 'import a page or an archive that contains it with `docs content import`',
    hint: 'docs content import --help',
    asked: [
      `upload attach insert put ${make} delete remove + file image picture attachment ~ content page space new`,
    ],
  },
  {
    cannot: 'give one person or team access to a space or collection',
    instead:
      'share the space in the app; `docs spaces update --default-level` changes the access of everyone in the organization',
    hint: 'docs access explain --help',
    asked: [
      `${give} invite ${take} + team group ${person} one guest + space collection ~ access permission role edit read comment review`,
      `grant allow let + ${person} team one + edit read comment review write access ~ single only space collection`,
      `grant share + space collection access permission ~ one edit read comment review level role`,
      `${give} ${take} change update + permission ~ access space collection page`,
    ],
  },
  {
    cannot: 'list the grants of a space',
    instead:
      '`docs access who` lists the people whose role can be read, `docs access explain` gives the reasons',
    hint: 'docs access who --help',
    asked: ['list show get + grant ~ space collection'],
  },
  {
    cannot: 'hide a space, or change its visibility',
    instead:
      'close it to everyone without a grant with `docs spaces update --default-level none`, or remove it from its sites with `docs site-spaces delete`',
    hint: 'docs access who --help',
    asked: [
      'hide unhide + space collection ~ one',
      'private public visibility secret + space collection ~ make set change update',
    ],
  },
  {
    cannot: 'publish or unpublish a site',
    instead:
      'do it in the app; `docs sites update --visibility` changes who can read a site that is published',
    hint: 'docs sites list --published',
    asked: [
      'publish unpublish + site website ~ new again',
      'take bring put + site website + offline online down',
    ],
  },
  {
    cannot: 'check whether a site is up',
    instead: '`docs sites get` shows whether it is published and its address',
    hint: 'docs sites list --published',
    asked: [
      'up down online offline reachable available uptime running alive + site website ~ still',
      'uptime',
    ],
  },
  {
    cannot: 'list or set redirects',
    instead:
      'add them in the app; `docs impact rename` and `docs sites arrange` list those that a change needs',
    hint: 'docs impact rename --help',
    asked: [`redirect ~ ${make} set list show get up update change ${take} site page url address old`],
  },
  {
    cannot: 'clear a cache',
    instead: 'readers get new content after a merge, with no command to run',
    hint: 'docs sites published --help',
    asked: ['cache ~ clear purge flush empty invalidate delete reset site browser cdn'],
  },
  {
    cannot: 'delete a change request, or reopen a merged one',
    instead: 'archive it with `docs change-requests update --status archived`, or create a new one',
    hint: 'docs change-requests update --help',
    asked: [`${take} reopen unmerge + request + change ~ merged`],
  },
  {
    cannot: 'approve a change request, or ask for a review',
    instead:
      'read it with `docs change-requests review`, comment on it, or merge it; anyone with the role review may merge',
    hint: 'docs change-requests review --help',
    asked: [
      'approve reject + request + change',
      `ask request assign ${make} + review reviewer ~ change request for ${person}`,
    ],
  },
  {
    cannot: 'delete a reply to a comment',
    instead: 'edit it with `docs comments replies update`, or delete the comment with `docs comments delete`',
    hint: 'docs comments replies update --help',
    asked: [`${take} + reply ~ comment`],
  },
  {
    cannot: 'restore anything but a space',
    instead:
      'create it again, with `docs undo` if docs deleted it, or with `docs backup restore` from a backup',
    hint: 'docs jobs list',
    asked: [
      `restore undelete recover + ${person} team collection site section page comment invite ~ deleted removed`,
    ],
  },
  {
    cannot: 'change the type of a site or of a custom field',
    instead: 'create a new one, then delete the old one',
    hint: 'docs commands sites',
    asked: ['change update set + type + site field ~ custom'],
  },
  {
    cannot: 'set a hostname for a site',
    instead:
      'connect the domain in the app; `docs sites update --proxy` serves a site below a path of a domain',
    hint: 'docs sites update --help',
    asked: ['domain hostname + site custom own ~ set change add connect use'],
  },
  {
    cannot: 'change the theme, the logo or the colors of a site',
    instead: 'change them in the app; `docs sites published` shows those in use',
    hint: 'docs sites published --help',
    asked: [
      'theme logo color colour font favicon branding style + site website ~ change set update customize edit',
    ],
  },
  {
    cannot: 'set up Git sync',
    instead: 'set it up in the app; `docs spaces get` shows the repository of a space',
    hint: 'docs spaces get --help',
    asked: [
      'sync gitsync + git github gitlab gitsync ~ set up enable connect start trigger disable space with repository',
    ],
  },
  {
    cannot: 'create or delete an organization, or change its plan',
    instead: 'do it in the app',
    hint: 'docs orgs list',
    asked: [
      `${make} ${take} + org organization`,
      'billing invoice subscription ~ pay upgrade cancel change show download get plan',
    ],
  },
  {
    cannot: 'create API tokens',
    instead: 'create one in the app; `docs auth login` stores it',
    hint: 'docs auth login --help',
    asked: ['create make new generate issue rotate + token key ~ api access'],
  },
  {
    cannot: 'read the audit log or analytics of the platform',
    instead: 'see the app; `docs audit list` shows the changes made with docs on this machine',
    hint: 'docs audit list',
    asked: [
      'analytics traffic visitor visit pageview statistics stats ~ site page many show see get count view',
    ],
  },
  {
    cannot: 'set up webhooks',
    instead: 'read again: `docs change-requests list --watch` and `docs plan drift` find what changed',
    hint: 'docs plan drift --help',
    asked: [`webhook ~ ${make} list set up ${take}`],
  },
];

interface Pattern {
  groups: readonly ReadonlySet<string>[];
  allowed: ReadonlySet<string>;
}

const stems = (text: string): Set<string> => new Set(wordsIn(text).map(stem));

const patterns: readonly (readonly [Limitation, readonly Pattern[]])[] = limitations.map((limitation) => [
  limitation,
  limitation.asked.map((text) => {
    const [groups = '', beside = ''] = text.split('~');
    const allowed = stems(`${groups} ${beside}`);
    return { groups: groups.split('+').map(stems), allowed };
  }),
]);

/** What words ask of the API that it cannot do; undefined where they ask for something else. */
export function limitationOf(words: string): Limitation | undefined {
  const all = new Set(wordsIn(words.replaceAll(/\S+@\S+/g, 'person')).map(stem));
  const said = new Set([...all].filter((word) => !isIdle(word)));
  const fits = ({ groups, allowed }: Pattern): boolean =>
    groups.every((group) => [...group].some((word) => all.has(word))) &&
    [...said].every((word) => allowed.has(word));
  return said.size === 0 ? undefined : patterns.find(([, ways]) => ways.some(fits))?.[0];
}

/** As a sentence without its capital and its full stop. */
export function cannotSentence({ cannot, instead }: Limitation): string {
  return `the API cannot ${cannot}; ${instead.replaceAll('`', '')}`;
}
