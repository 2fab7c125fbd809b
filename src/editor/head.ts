import { headedOf } from '../c/edit/head.js';
import type { Headed } from '../c/edit/head.js';
import { mayHaveHead } from '../c/beginning.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { hasCReader, isC } from '../program/read.js';

/** Whether a C file has a head, and can be read. Of other C files, an editor says nothing. */
export const isAsked = ({ text }: SourceFile): boolean => hasCReader() && mayHaveHead(text);

/** A C file with a head; undefined for all other files. */
export const headIn = (source: SourceFile): Headed | undefined =>
  isC(source.path) && isAsked(source) ? headedOf(source) : undefined;

const POSTS = [
  'ibv_(?:post_(?:send|recv)|wr_start)',
  ...['shmem_\\w*(?:put|get)\\w*', 'fi_(?:inject_)?(?:write|read)\\w*'],
  ...['ucp_(?:put|get)_\\w+', 'MPI_R?(?:Put|Get)'],
];
const POST = new RegExp(`\\b(?:${POSTS.join('|')})\\s*\\(`);

/** Whether a C file posts requests, so that it can be asked about. */
export const postsRequests = (text: string): boolean => POST.test(text);
