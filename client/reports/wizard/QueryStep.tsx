import { Checkbox } from '@mantine/core'
import { comparesData } from '#events/reports/templates.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { type Group, typeOf } from '#events/search/string-format/conditions.ts'
import { criteriaText } from '#events/search/string-format/criteriaText.ts'
import { QueryBuilder } from '#client/parts/query-builder/QueryBuilder.tsx'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import type { ReportForm } from './reportForm.ts'

/** Conditions of a report: the query of a search, or an optional filter of a comparison. */
export function QueryStep({ form }: { form: ReportForm }) {
  const { type, isFiltered, group } = form.values
  const volumes = useVolumesAt(undefined).data?.elements ?? []
  const isOptional = type !== '' && comparesData(type)
  return (
    <div className="stack gap-16">
      {isOptional && (
        <Checkbox
          label="Add search queries"
          description="Only files that match the conditions are included."
          data-autofocus
          {...form.getInputProps('isFiltered', { type: 'checkbox' })}
        />
      )}
      {(isFiltered || !isOptional) && (
        <div data-takes-enter>
          <QueryBuilder
            group={group}
            volumes={volumes}
            error={criteriaError(criteriaText(group)) ?? (form.errors['group'] as string | undefined)}
            onChange={(group) => {
              form.setFieldValue('group', group)
              form.clearFieldError('group')
            }}
          />
        </div>
      )}
      {(isFiltered || !isOptional) && hasDay(group) && (
        <Checkbox
          label="Relative dates"
          description="“A year ago” always means a year before the run."
          {...form.getInputProps('rollingDates', { type: 'checkbox' })}
        />
      )}
    </div>
  )
}

/** True if any condition compares dates. */
const hasDay = ({ conditions, groups }: Group): boolean =>
  conditions.some(({ field }) => typeOf(field) === 'date') || groups.some(hasDay)
