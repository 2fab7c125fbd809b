import { AS_EXPECTED } from '../../command/exit.js';
import { serve } from '../../lsp/server.js';

/** `remora lsp`: answers an editor until it is done. The connection ends the process. */
export function lsp(): Promise<number> {
  const connection = serve();
  return new Promise((resolve) => {
    connection.onExit(() => resolve(AS_EXPECTED));
  });
}
