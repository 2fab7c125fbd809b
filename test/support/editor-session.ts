import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { Editor } from './editor.js';
import type { MoreCapabilities } from './editor.js';

/** A folder that an editor is open in while the tests of a file run. */
export interface EditorSession {
  readonly folder: string;
  /** Opens a file of the folder, under a name that no other test has. */
  open(text: string, name?: string): string;
}

/**
 * Starts an editor before the tests of a file, and ends it after them. The server must not have said anything on standard error.
 *
 * @param files what is in the folder from the start
 * @param started is given the editor
 * @param more what the editor can do besides
 */
export function editorSession(
  files: Readonly<Record<string, string>>,
  started: (editor: Editor) => void,
  more: MoreCapabilities = {},
): EditorSession {
  const folder = mkdtempSync(join(tmpdir(), 'remora-editor-'));
  let editor: Editor;
  let opened = 0;
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    editor = await Editor.start(folder, [], more);
    started(editor);
  });
  afterAll(async () => {
    expect(await editor.end()).toBe(0);
    expect(editor.errors).toEqual([]);
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    open(text, name = `file${++opened}.litmus`) {
      const uri = pathToFileURL(join(folder, name)).href;
      editor.open(uri, text);
      return uri;
    },
  };
}
