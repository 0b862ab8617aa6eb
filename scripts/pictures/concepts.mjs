/** Draws how the concepts hang together: the platform at the left, docs at the right. */

const size = { width: 1060, height: 560 };
const fills = { place: '#ffffff', thing: '#eef4ff', file: '#fff6e5', rule: '#fdecec', copy: '#eaf7ee' };
const strokes = { place: '#94a3b8', thing: '#5b8def', file: '#d9962b', rule: '#d0605e', copy: '#3f9e60' };

/** Left, top, width, height, kind, title, and lines below it. */
const boxes = [
  [20, 20, 440, 520, 'place', 'Platform', 'the service that docs administers'],
  [40, 80, 400, 440, 'place', 'Organization', 'settings, people and content'],
  [60, 150, 170, 70, 'thing', 'Members', 'people and their roles'],
  [250, 150, 170, 70, 'thing', 'Teams', 'groups of members'],
  [60, 270, 170, 70, 'thing', 'Space', 'pages and files'],
  [250, 270, 170, 70, 'thing', 'Site', 'publishes spaces'],
  [60, 410, 170, 90, 'thing', 'Change request', 'a draft of a space|until it is merged'],
  [560, 20, 190, 70, 'file', 'Files', 'the organization as YAML'],
  [850, 20, 190, 70, 'rule', 'Drift', 'edits made in the app'],
  [560, 160, 190, 70, 'file', 'Plan', 'the exact requests'],
  [850, 160, 190, 70, 'rule', 'Policy', 'which changes may run'],
  [560, 300, 190, 70, 'file', 'Job', 'changes sent together'],
  [850, 300, 190, 70, 'file', 'Journal', 'changes and outcomes'],
  [
    560,
    450,
    480,
    90,
    'copy',
    'Sandbox',
    'a platform on this machine: made-up data,|or a copy of your organization',
  ],
];

/** Points of a line, its label, and where the label begins. */
const arrows = [
  [
    [
      [250, 185],
      [230, 185],
    ],
    '',
    0,
    0,
  ],
  [
    [
      [250, 305],
      [230, 305],
    ],
    '',
    0,
    0,
  ],
  [
    [
      [145, 410],
      [145, 340],
    ],
    'merge',
    155,
    380,
  ],
  [
    [
      [655, 90],
      [655, 160],
    ],
    'docs plan',
    665,
    130,
  ],
  [
    [
      [655, 230],
      [655, 300],
    ],
    'docs apply',
    665,
    270,
  ],
  [
    [
      [560, 325],
      [460, 325],
    ],
    'requests',
    480,
    316,
  ],
  [
    [
      [750, 335],
      [850, 335],
    ],
    'records',
    775,
    326,
  ],
  [
    [
      [850, 195],
      [750, 195],
    ],
    'limits',
    778,
    186,
  ],
  [
    [
      [460, 55],
      [560, 55],
    ],
    'docs pull',
    476,
    46,
  ],
  [
    [
      [750, 55],
      [850, 55],
    ],
    'plan drift',
    764,
    46,
  ],
  [
    [
      [945, 370],
      [945, 410],
      [510, 410],
      [510, 350],
      [460, 350],
    ],
    'docs undo',
    700,
    401,
  ],
];

export function conceptsSvg() {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="How the concepts hang together">`,
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#475569"/></marker></defs>',
    `<rect width="${size.width}" height="${size.height}" rx="10" fill="#f8fafc"/>`,
    "<g font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
    ...boxes.map(boxOf),
    ...arrows.map(arrowOf),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function boxOf([x, y, width, height, kind, title, text]) {
  const texts = text
    .split('|')
    .map(
      (line, at) =>
        `<text x="${x + 14}" y="${y + 48 + at * 18}" font-size="12.5" fill="#475569">${line}</text>`,
    );
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fills[kind]}" stroke="${strokes[kind]}" stroke-width="1.5"/>`,
    `<text x="${x + 14}" y="${y + 28}" font-size="15" font-weight="600" fill="#0f172a">${title}</text>`,
    ...(text === '' ? [] : texts),
  ].join('');
}

function arrowOf([points, label, x, y]) {
  const path = points.map(([left, top], at) => `${at === 0 ? 'M' : 'L'}${left} ${top}`).join('');
  const text =
    label === ''
      ? ''
      : `<text x="${x}" y="${y}" font-size="12" fill="#334155" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">${label}</text>`;
  return `<path d="${path}" fill="none" stroke="#475569" stroke-width="1.5" marker-end="url(#tip)"/>${text}`;
}
