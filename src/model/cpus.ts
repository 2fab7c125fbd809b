/** CPUs of models: `rdma-ro+arm` is `rdma-ro` with the CPU of `cpu/arm.cat`. */

/** Among the models: the folder of CPUs. */
export const CPUS = 'cpu';

/** The CPU of models of RDMA that are not told another one, and how they include it. */
export const USUAL_CPU = 'x86';
export const USUAL_CPU_FILE = `${CPUS}/${USUAL_CPU}.cat`;

/** Between the name of a model and that of its CPU. */
export const WITH_CPU = '+';

/** The model, or fabric, and the CPU that a name says. Without a CPU, it is the usual one. */
export function cpuOf(model: string): { readonly fabric: string; readonly cpu: string } {
  const at = model.lastIndexOf(WITH_CPU);
  return at < 0
    ? { fabric: model, cpu: USUAL_CPU }
    : { fabric: model.slice(0, at), cpu: model.slice(at + 1) };
}

/** Each model with each CPU. */
export const withCpus = (models: readonly string[], cpus: readonly string[]): readonly string[] =>
  models.flatMap((model) =>
    cpus.map((cpu) => (cpu === USUAL_CPU ? model : `${model}${WITH_CPU}${cpu}`)),
  );
