import type { Entity, FieldPlan, RecordPlan } from "../contract/index.ts";

const storedPlans = new WeakMap<Entity, RecordPlan>();

/** The fields of cached records: the default fields at every depth, and the searchable fields. */
export function storedPlan(entity: Entity): RecordPlan {
  let plan = storedPlans.get(entity);
  if (plan === undefined) {
    plan = withoutRequested(entity.record, (name) => Object.hasOwn(entity.store.fields, name));
    storedPlans.set(entity, plan);
  }
  return plan;
}

function withoutRequested(plan: RecordPlan, keep: (name: string) => boolean): RecordPlan {
  const fields = Object.entries(plan.fields).filter(([name, field]) => field.onRequest === undefined || keep(name));
  return {
    ...plan,
    name: `Cached ${plan.name}`,
    fields: Object.fromEntries(fields.map(([name, field]) => [name, inside(field)])),
  };
}

function inside(field: FieldPlan): FieldPlan {
  const { of } = field;
  if (of === undefined) return field;
  let made: RecordPlan | undefined;
  return {
    ...field,
    of: () => {
      made ??= { ...withoutRequested(of(), () => false), name: of().name };
      return made;
    },
  };
}
