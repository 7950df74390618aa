export function roomyFolder(): string;
