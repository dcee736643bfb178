import { IconBriefcase, IconFolder, IconHelpCircle, IconReportAnalytics, IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { folderSuggestions } from '#events/folders/browse.ts'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { useRemote } from '#client/app/remote.ts'
import { help } from '#client/app/shell/shellDialogs.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { useTypedCallback } from '#client/ui/form/composition.ts'
import type { Command } from './command.tsx'

/** Projects and reports above any realistic number. */
const all = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const
/** Folders shown, and the shortest text that they are searched for. */
const maxFolders = 8
const minLength = 2
const debounceMs = 250
/** Help pages shown. */
const maxHelpPages = 5

type FoundCommands = Record<'projects' | 'reports' | 'folders' | 'help' | 'search', Command[]>

/** Projects, reports and folders by name, help pages by their contents, and a search for the typed text. Nothing is loaded while the palette is closed. */
export function useFound(typed: string, isOpen: boolean): FoundCommands {
  const links = useLinks()
  const { indexingDate, active } = useActiveDate()
  const text = typed.trim()
  const named =
    isOpen && active ? { query: { ...all, ...(indexingDate !== undefined && { indexingDate }) } } : undefined
  const projectList = useRemote(projects.list, named, 'projects')
  const reportList = useRemote(reports.list, isOpen ? { query: all } : undefined, 'reports')
  return {
    projects: (projectList.data?.elements ?? []).map(({ id, name }) => ({
      label: name,
      icon: IconBriefcase,
      follow: () => navigate(links.project(id)),
    })),
    reports: (reportList.data?.elements ?? []).map(({ id, name }) => ({
      label: name,
      icon: IconReportAnalytics,
      follow: () => navigate(links.report(id)),
    })),
    folders: useFolders(isOpen && active ? text : '', indexingDate),
    help: useHelp(text, isOpen),
    search: text
      ? [{ label: `Search for "${text}"`, icon: IconSearch, follow: () => navigate(links.search({ search: text })) }]
      : [],
  }
}

/** Folders whose path contains the text, some time after it was typed. */
function useFolders(text: string, indexingDate: string | undefined): Command[] {
  const links = useLinks()
  const [wanted, want] = useState('')
  const wantSoon = useTypedCallback(want, debounceMs)
  const look = useEffectEvent((text: string) => wantSoon(text))
  useEffect(() => look(text), [text])
  const query = { path: wanted, size: maxFolders, sort: 'name', direction: 'asc', indexingDate } as const
  const isLongEnough = wanted.length >= minLength && text.length >= minLength
  const { data } = useRemote(folderSuggestions, isLongEnough ? { query } : undefined)
  return (data?.elements ?? []).map(({ path, volumeId, volumeName }) => ({
    label: path,
    description: volumeName,
    icon: IconFolder,
    follow: () => navigate(links.fileManagement({ volumeId, path })),
  }))
}

/** Help pages that contain all typed words. */
function useHelp(text: string, isOpen: boolean): Command[] {
  const links = useLinks()
  const [find, setFind] = useState<Awaited<ReturnType<typeof help.load>>>()
  useEffect(() => {
    if (isOpen) void help.load().then((find) => setFind(() => find), toastFailure)
  }, [isOpen])
  return (text && find ? find(text).slice(0, maxHelpPages) : []).map(({ name, title, excerpt }) => ({
    label: title,
    description: excerpt,
    keywords: text,
    icon: IconHelpCircle,
    follow: () => navigate(links.help({ page: name })),
  }))
}
