/** What a response has, in the form that the test expects. Nothing checks the form: a test that relies on a member fails without it. */
export function shaped<Form>(value: unknown): Form {
  return value as Form;
}

/** An object with the few members that the code under test uses. */
export function standIn<Whole extends object>(members: Partial<Whole>): Whole {
  return members as Whole;
}
