/** Loads what the build has packed, and not the host: so what is loaded is as little on any host. */
export async function unpacked(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const name = address.pathname.slice(address.pathname.lastIndexOf('/') + 1);
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw new Error(`${name}: ${response.status}`);
  const stream = response.body.pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    // The browser says "Failed to fetch", of whatever went wrong in the stream.
    throw new Error(`${name}: cut off, or not packed by gzip`, { cause: error });
  }
}
