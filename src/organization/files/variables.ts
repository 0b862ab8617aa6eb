import { Type } from '../../api/type.js';
import { isScalar, type Node } from '../../files/yaml/node.js';
import { isOwnVariable } from '../../jobs/environment.js';
import { mistaken, type Spot } from './spot.js';

/**
 * The variables that `!env` may name. Whoever runs docs has others, such as the token of a pipeline, and whoever edits
 * the files must not be able to publish them.
 */

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const variablesSchema = Type.Array(Type.String({ pattern: variableName.source }), {
  description: 'Environment variables that !env may name in the files; none that begins with DOCS_',
});

/** `env: [SSO_URL]` of org.yaml. */
export function readVariables(spot: Spot, node: Node): ReadonlySet<string> {
  if (node.type !== 'list') {
    mistaken(spot, node, 'must be a list of names of environment variables, such as [SSO_URL]');
    return new Set();
  }
  const names = node.items.map((item) => {
    const name = isScalar(item) && item.tag === undefined ? String(item.value) : '';
    const fault = variableName.test(name)
      ? ownFault(name)
      : 'must be the name of an environment variable: letters, digits, _';
    if (fault !== undefined) mistaken(spot, item, fault);
    return name;
  });
  return new Set(names);
}

function ownFault(name: string): string | undefined {
  return isOwnVariable(name)
    ? 'must not be a variable that begins with DOCS_: those are for docs itself, and one may be the token'
    : undefined;
}

/** The name after `!env`; only org.yaml decides which variables of whoever runs docs the files may send. */
export function variableNamed(spot: Spot, node: Node, name: string): string | undefined {
  const fault = variableFault(spot.reading.variables, name);
  if (fault !== undefined) mistaken(spot, node, fault);
  return fault === undefined ? name : undefined;
}

/** The name is quoted only where it is one: else it may be the secret itself. */
function variableFault(known: ReadonlySet<string> | undefined, name: string): string | undefined {
  if (!variableName.test(name))
    return 'must be the name of an environment variable after !env: letters, digits, _';
  const own = ownFault(name);
  if (own !== undefined || known?.has(name)) return own;
  const way =
    known === undefined ? `add the line "env: [${name}]" to org.yaml` : `add ${name} to "env" in org.yaml`;
  return `names an environment variable that org.yaml does not list; ${way} if the files may send its value`;
}
