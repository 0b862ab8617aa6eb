import { groupBy } from '../../base/values.js';

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

/** A route with the parts of its path. */
interface Declared<R> {
  route: R;
  parts: readonly string[];
}

/**
 * Finds the route of a request among those of its method. Parts are compared decoded and by case, and a named part goes
 * before a parameter. A slash at the end begins another part, which is empty.
 */
export class Routes<R extends Route> {
  readonly #byMethod: ReadonlyMap<string, readonly Declared<R>[]>;

  constructor(routes: readonly R[]) {
    const all = routes.map((route) => ({ route, parts: route.path.split('/') }));
    // A brace comes after every character of a name.
    this.#byMethod = groupBy(
      all.sort((a, b) => (a.route.path < b.route.path ? -1 : 1)),
      ({ route }) => route.method,
    );
  }

  /**
   * @param parts those of the path, decoded (`readAddress`)
   * @returns undefined without a route; `tooLong` if there might be one but for the length of a parameter
   */
  find(method: string, parts: readonly string[]): Match<R> | typeof tooLong | undefined {
    let otherwise: typeof tooLong | undefined;
    for (const { route, parts: declared } of this.#byMethod.get(method) ?? []) {
      const fit = fitOf(declared, parts);
      if (fit === true) return { route, parameters: parametersOf(declared, parts) };
      if (fit === tooLong) otherwise = tooLong;
    }
    return otherwise;
  }

  /** The methods of the routes that match a path as it was sent, in alphabetical order. */
  methodsAt(path: string): string[] {
    const sent = path.split('/');
    const isAt = ({ parts }: Declared<R>) => matches(parts, sent);
    return [...this.#byMethod].flatMap(([method, routes]) => (routes.some(isAt) ? method : [])).sort();
  }
}

function fitOf(declared: readonly string[], parts: readonly string[]): boolean | typeof tooLong {
  // By index: iterators over the parts of 150 routes would be garbage of every request.
  for (let index = 0; index < declared.length; index += 1) {
    const part = declared[index] as string;
    const given = parts[index];
    if (given === undefined || (given !== part && !isParameter(part))) return false;
    if (given.length > longestParameter) return tooLong;
  }
  return declared.length === parts.length;
}

function parametersOf(declared: readonly string[], parts: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of declared.entries()) {
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
