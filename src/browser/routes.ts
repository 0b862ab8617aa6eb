import type { CommandFinder } from './parts/command-of.js';
import { homePath } from './parts/layout.js';
import type { View } from './parts/visit.js';
import { changeRequestsView, changeRequestView } from './views/changes.js';
import { commentsView } from './views/comments.js';
import { organizationsView, orgView, spacesView } from './views/orgs.js';
import { membersView, memberView, teamsView, teamView } from './views/people.js';
import { sitesView, siteView, specsView, specView } from './views/publishing.js';
import { requestRowsView, requestsView } from './views/requests.js';
import { filesView, fileView, pageView, spaceView } from './views/space.js';

/** The pages by path; `*` is a segment that the view is given. */
export function routesOf(finder: () => Promise<CommandFinder>): Readonly<Record<string, View>> {
  return {
    '': organizationsView,
    requests: requestsView(finder),
    'requests/rows': requestRowsView(finder),
    'orgs/*': orgView,
    'orgs/*/spaces': spacesView,
    'orgs/*/spaces/*': spaceView,
    'orgs/*/spaces/*/pages/*': pageView,
    'orgs/*/spaces/*/files': filesView,
    'orgs/*/spaces/*/files/*': fileView,
    'orgs/*/spaces/*/change-requests': changeRequestsView,
    'orgs/*/spaces/*/change-requests/*': changeRequestView,
    'orgs/*/spaces/*/comments': commentsView,
    'orgs/*/members': membersView,
    'orgs/*/members/*': memberView,
    'orgs/*/teams': teamsView,
    'orgs/*/teams/*': teamView,
    'orgs/*/sites': sitesView,
    'orgs/*/sites/*': siteView,
    'orgs/*/openapi': specsView,
    'orgs/*/openapi/*': specView,
  };
}

export interface Routed {
  view: View;
  /** The variable segments, decoded. */
  words: readonly string[];
}

/** The page at a path; undefined for none. */
export function routeAt(routes: Readonly<Record<string, View>>, path: string): Routed | undefined {
  if (!path.startsWith(homePath)) return undefined;
  const given = path.slice(homePath.length).split('/');
  for (const [pattern, view] of Object.entries(routes)) {
    const words = wordsIn(pattern.split('/'), given);
    if (words !== undefined) return { view, words };
  }
  return undefined;
}

function wordsIn(pattern: readonly string[], given: readonly string[]): string[] | undefined {
  if (pattern.length !== given.length) return undefined;
  const words: string[] = [];
  for (const [at, part] of pattern.entries()) {
    const segment = given[at] ?? '';
    if (part !== '*' && part !== segment) return undefined;
    if (part !== '*') continue;
    const word = decoded(segment);
    if (word === undefined || word === '') return undefined;
    words.push(word);
  }
  return words;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
