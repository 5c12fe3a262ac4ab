"""The networks, in torch alone: AcroBERT, batching, calibration."""
