/** The commands that the general help lists. */
export const COMMANDS = (
  'c run emit measured check test compare outcomes robust merge agree explore fabrics tidy distinguish synthesise refine explain report ' +
  'distribute export instructions machine fmt lsp verify completion campaign'
).split(' ');
