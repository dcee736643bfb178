import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { extensionsIn } from '#events/search/extensions.ts'
import { chosenTypes, fileTypeTitles } from '#events/search/fileTypes.ts'
import { withExtension } from '#events/search/filters.ts'
import { filterError } from '#client/parts/searched/searchAddress.ts'
import type { FilterForm } from './filterForm.ts'
import { filterLabels } from '#client/parts/searched/filterNames.ts'
import { IgnorePatterns } from './IgnorePatterns.tsx'
import { patternHelp } from './patternHelp.ts'
import { StoragePlaces } from './StoragePlaces.tsx'
import { TextFilter } from './TextFilter.tsx'
import { useDebouncedInput } from './useDebouncedInput.ts'

export function PlaceFields({ form }: { form: FilterForm }) {
  return (
    <>
      <TextFilter form={form} name="name" placeholder="* and ? for any" title={patternHelp} />
      {!form.isOfFolders && <TypeField form={form} />}
      <ExtensionField form={form} />
      <TextFilter form={form} name="startingPath" placeholder="/folder" />
      <StoragePlaces form={form} />
      <IgnorePatterns form={form} />
    </>
  )
}

/** Types of files, which are groups of extensions. */
function TypeField({ form }: { form: FilterForm }) {
  const chosen = [...(form.params.fileType ?? [])]
  return (
    <MultiSelect
      // Part of the menu, which closes on a press outside of it.
      comboboxProps={{ withinPortal: false }}
      label={filterLabels.fileType}
      placeholder={chosen.length === 0 ? 'Any type' : undefined}
      data={chosenTypes.map((value) => ({ value, label: fileTypeTitles[value] }))}
      value={chosen}
      onChange={(fileType) => form.set({ fileType })}
      clearable
      clearButtonProps={{ 'aria-label': 'Choose no type' }}
      error={form.errors.fileType}
    />
  )
}

function ExtensionField({ form }: { form: FilterForm }) {
  const patterns = form.params.ignorePattern ?? []
  const hasNone = patterns.includes(withExtension)
  const params = (form.params.extension ?? []).join(', ')
  const commit = (text: string) => form.set({ extension: [extensionsIn(text.replaceAll(/\s/g, '')).join(',')] })
  const { field, error } = useDebouncedInput(params, commit, (text) => filterError('extension', text))
  const others = patterns.filter((pattern) => pattern !== withExtension)
  return (
    <div className="stack gap-8">
      <TextInput
        {...field}
        label={filterLabels.extension}
        placeholder="mov, mp4"
        disabled={hasNone}
        error={error ?? form.errors.extension}
      />
      <Checkbox
        label="No extension"
        checked={hasNone}
        onChange={({ currentTarget }) =>
          form.set({ extension: [], ignorePattern: currentTarget.checked ? [...others, withExtension] : others })
        }
      />
    </div>
  )
}
