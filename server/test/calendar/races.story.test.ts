import { calendarRaces } from './races.ts'

calendarRaces(3)
