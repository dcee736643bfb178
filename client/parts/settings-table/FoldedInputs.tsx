import type { Fields } from '#client/app/defineForm.ts'
import { Folded } from '#client/ui/Folded.tsx'
import type { Row } from './declaration.ts'
import type { FoldedInputs as Declared } from './form.ts'
import { FormInputs, type FormInputsProps } from './FormInputs.tsx'

type FoldedInputsProps<T extends Row, F extends Fields> = Omit<FormInputsProps<T, F>, 'inputs' | 'takesFocus'> & {
  folded: Declared<NoInfer<F>, T>
}

/** Inputs of a form under a summary. They are shown if one is invalid or differs from its default. */
export function FoldedInputs<T extends Row, F extends Fields>(props: FoldedInputsProps<T, F>) {
  const { folded, ...shared } = props
  const { values, errors } = shared.form
  const names = folded.inputs.map(({ name }) => name)
  return (
    <Folded
      summary={folded.summary}
      isSet={names.some((name) => values[name] !== folded.defaults[name])}
      isInvalid={names.some((name) => errors[name] !== undefined)}
    >
      <FormInputs inputs={folded.inputs} {...shared} takesFocus={false} />
    </Folded>
  )
}
