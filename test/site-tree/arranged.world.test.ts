import { test } from 'vitest';
import { arrangeSites } from './arranged.js';

test('a site becomes as its text says', () => arrangeSites(2, { seed: 20261123 }));

/** Found by random runs of the long test. */
test.each([
  ['the default of a section goes elsewhere', 1, '25'],
  ['what the platform shows in its place goes, too', 20261128, '38'],
  ['the default section loses all its spaces', 2, '26'],
  ['the new default section is without spaces for a while', 2, '57'],
  ['paths go round, and a default changes', 2, '24'],
  ['a group moves beside one without sections', 1, '29'],
  ['a space moves while another comes', 3, '63'],
  ['sections move around a group without sections', 4, '32'],
])('a site becomes as its text says, where %s', (_, seed, path) => arrangeSites(1, { seed, path }));
