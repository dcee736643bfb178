import type { ComponentType } from 'react'
import { AgentsBoard } from './AgentsBoard.tsx'
import { CapacityBoard } from './CapacityBoard.tsx'
import { GrowthBoard } from './GrowthBoard.tsx'
import { JobsBoard } from './JobsBoard.tsx'
import { MapBoard } from './MapBoard.tsx'
import type { BoardName } from './wallAddress.ts'

export const boards: Record<BoardName, ComponentType> = {
  capacity: CapacityBoard,
  jobs: JobsBoard,
  growth: GrowthBoard,
  map: MapBoard,
  agents: AgentsBoard,
}
