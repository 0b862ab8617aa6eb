/** Makes what a layer does not do fail. What a test needs of it says which layer it belongs to. */
export function refuse(prototype: object, method: string, what: string): void {
  Reflect.set(prototype, method, () => {
    throw new Error(`A test of this layer never ${what}: CONTRIBUTING says to which it belongs ("Tests").`);
  });
}
