/** By name: the verdict under RDMA^TSO on a growing program of some size, in words such as `forbidden up to 3`. */
export const VERDICTS: Readonly<Record<string, (k: number) => string>>;
