/** The commands, as the general help lists them. */
export const COMMANDS = [
  ...[
    'check',
    'test',
    'compare',
    'outcomes',
    'robust',
    'merge',
    'agree',
    'explore',
    'refine',
    'explain',
    'report',
  ],
  ...['distribute', 'export', 'instructions', 'fmt', 'lsp', 'serve', 'verify', 'completion'],
  'campaign',
];
