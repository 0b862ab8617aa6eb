/** What answers one method at one path. */
export interface Route {
  method: string;
  /** Parameters in braces, each a whole part: `/v1/orgs/{organizationId}`. */
  path: string;
}

export interface Match<R extends Route> {
  route: R;
  /** Values of the parameters, decoded. */
  parameters: Readonly<Record<string, string>>;
}

/** A parameter of the path is longer than `longestParameter`. */
export const tooLong = 'too-long';

const longestParameter = 1024;

interface Branch<R> {
  /** By the next part of the path. */
  parts: Map<string, Branch<R>>;
  /** For any other part, which is the value of a parameter. */
  parameter?: Branch<R>;
  route?: R;
}

/**
 * Finds the route of a request in one tree for each method. The trees are made of the paths as they are declared,
 * and nothing is compiled. Parts are compared decoded and by case, and a named part goes before a parameter. A slash
 * at the end begins another part, which is empty.
 */
export class Routes<R extends Route> {
  readonly #routes: readonly R[];
  readonly #trees = new Map<string, Branch<R>>();

  constructor(routes: readonly R[]) {
    this.#routes = routes;
    for (const route of routes) add(this.#treeOf(route.method), route);
  }

  /**
   * @param parts those of the path, decoded (`readAddress`)
   * @returns undefined without a route; `tooLong` if there might be one but for the length of a parameter
   */
  find(method: string, parts: readonly string[]): Match<R> | typeof tooLong | undefined {
    const tree = this.#trees.get(method);
    if (tree === undefined || parts[0] !== '') return undefined;
    const search: Search = { parts, tooLong: false };
    const route = routeAt(tree, search, 1);
    if (route === undefined) return search.tooLong ? tooLong : undefined;
    return { route, parameters: parametersOf(route, parts) };
  }

  /** The methods of the routes that match a path as it was sent, in alphabetical order. */
  methodsAt(path: string): string[] {
    const parts = path.split('/');
    const matching = this.#routes.filter((route) => matches(route.path.split('/'), parts));
    return [...new Set(matching.map(({ method }) => method))].sort();
  }

  #treeOf(method: string): Branch<R> {
    let tree = this.#trees.get(method);
    if (tree === undefined) {
      tree = { parts: new Map() };
      this.#trees.set(method, tree);
    }
    return tree;
  }
}

function add<R extends Route>(tree: Branch<R>, route: R): void {
  let branch = tree;
  for (const part of route.path.split('/').slice(1)) branch = nextOf(branch, part);
  branch.route = route;
}

function nextOf<R>(branch: Branch<R>, part: string): Branch<R> {
  if (isParameter(part)) {
    branch.parameter ??= { parts: new Map() };
    return branch.parameter;
  }
  let next = branch.parts.get(part);
  if (next === undefined) {
    next = { parts: new Map() };
    branch.parts.set(part, next);
  }
  return next;
}

interface Search {
  parts: readonly string[];
  /** Whether a parameter was met that is too long. */
  tooLong: boolean;
}

function routeAt<R>(branch: Branch<R>, search: Search, at: number): R | undefined {
  const part = search.parts[at];
  if (part === undefined) return branch.route;
  const named = branch.parts.get(part);
  const route = named && routeAt(named, search, at + 1);
  if (route !== undefined || branch.parameter === undefined) return route;
  if (part.length <= longestParameter) return routeAt(branch.parameter, search, at + 1);
  search.tooLong = true;
  return undefined;
}

function parametersOf(route: Route, parts: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of route.path.split('/').entries()) {
    if (isParameter(part)) parameters[part.slice(1, -1)] = parts[index] ?? '';
  }
  return parameters;
}

function matches(declared: readonly string[], parts: readonly string[]): boolean {
  const fits = (part: string, index: number) =>
    isParameter(part) ? parts[index] !== '' : parts[index] === part;
  return declared.length === parts.length && declared.every(fits);
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}
