"""DxDispatch models: JSON files of buffers, DirectML operators, and commands that run in order."""
