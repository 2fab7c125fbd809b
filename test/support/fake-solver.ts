import { chmodSync, writeFileSync } from 'node:fs';

/** Writes a shell script in the place of a solver, and gives its path. */
export function script(file: string, body: string): string {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Writes a solver that gets the first query right, that of one variable, and does this at any other. */
export const failing = (file: string, what: string): string =>
  script(
    file,
    `while read -r line; do case "$line" in
    '(check-sat-assuming ((not v1)))') echo unsat ;;
    '(check-sat-assuming (v1))') echo sat ;;
    '(get-value (v1))') echo '((v1 true))' ;;
    '(check-sat'*) ${what} ;;
    esac; done; wait`,
  );
